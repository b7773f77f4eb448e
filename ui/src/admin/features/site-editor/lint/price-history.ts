// Prices before the published ones, because a text may still quote them.
import { useEffect } from 'preact/hooks'
import { create } from 'zustand'
import { type Block, type ObjectValue, readVersions, type Version } from '../api/content-api'
import { OFFERS, PACKAGES, type PriceContext, priceContext } from '../model/price-context'

type Past = { readonly original: ObjectValue; readonly versions: readonly Version[] }

/** Prices after each save of one of the two blocks, newest first. */
export function formerPrices(offers: Past, packages: Past): readonly PriceContext[] {
  const times = new Set([offers, packages].flatMap(({ versions }) => versions.map(timeOf)))
  return [...times]
    .sort()
    .reverse()
    .map((time) => priceContext(valueAt(offers, time), valueAt(packages, time)))
}

function timeOf({ savedAt }: Version): string {
  return savedAt
}

function valueAt({ original, versions }: Past, time: string): ObjectValue {
  return versions.find(({ savedAt }) => savedAt <= time)?.value ?? original
}

/** Loaded once for the whole panel, and again after each publish of one of the two blocks. */
const useFormer = create<{ readonly of: string; readonly sums: readonly PriceContext[] }>(() => ({
  of: '',
  sums: [],
}))

export function useFormerPrices(blocks: readonly Block[]): readonly PriceContext[] {
  const [offers, packages] = [OFFERS, PACKAGES].map((id) => blocks.find((one) => one.id === id))
  const of = `${offers?.version} ${packages?.version}`
  useEffect(() => {
    if (offers !== undefined && packages !== undefined) void read(of, offers, packages)
  }, [of])
  return useFormer((store) => store.sums)
}

async function read(of: string, offers: Block, packages: Block): Promise<void> {
  if (useFormer.getState().of === of) return
  useFormer.setState({ of })
  try {
    const [one, other] = await Promise.all([offers, packages].map(pastOf))
    if (one === undefined || other === undefined || useFormer.getState().of !== of) return
    useFormer.setState({ sums: formerPrices(one, other) })
  } catch {
    // Published and default prices are known without it; the next form retries.
    useFormer.setState({ of: '' })
  }
}

async function pastOf({ id, default: original, updatedAt }: Block): Promise<Past> {
  return { original, versions: updatedAt === null ? [] : await readVersions(id) }
}
