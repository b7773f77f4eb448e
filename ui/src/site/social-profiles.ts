// Further social profiles of the practitioner, from their addresses. The renderer alone reads this file: browsers
// get names and icons with the page.

import {
  AtSign,
  Briefcase,
  Camera,
  Globe,
  type IconNode,
  Mic,
  Music,
  Play,
  Send,
  ThumbsUp,
} from 'lucide'

export type SocialProfile = {
  readonly href: string
  readonly name: string
  /** A plain drawing of what the network is for; logos are trademarks. */
  readonly icon: IconNode
}

/** Networks by the last part of their host name. */
const networks: readonly (readonly [host: string, name: string, icon: IconNode])[] = [
  ['instagram.com', 'Instagram', Camera],
  ['facebook.com', 'Facebook', ThumbsUp],
  ['fb.com', 'Facebook', ThumbsUp],
  ['podcasts.apple.com', 'Apple Podcasts', Mic],
  ['youtube.com', 'YouTube', Play],
  ['youtu.be', 'YouTube', Play],
  ['vimeo.com', 'Vimeo', Play],
  ['tiktok.com', 'TikTok', Music],
  ['spotify.com', 'Spotify', Mic],
  ['spreaker.com', 'Spreaker', Mic],
  ['linkedin.com', 'LinkedIn', Briefcase],
  ['t.me', 'Telegram', Send],
  ['telegram.me', 'Telegram', Send],
  ['threads.net', 'Threads', AtSign],
  ['threads.com', 'Threads', AtSign],
  ['mastodon.social', 'Mastodon', AtSign],
  ['mastodon.uno', 'Mastodon', AtSign],
  ['bsky.app', 'Bluesky', AtSign],
  ['x.com', 'X', AtSign],
  ['pinterest.com', 'Pinterest', Camera],
  ['pinterest.it', 'Pinterest', Camera],
  ['insighttimer.com', 'Insight Timer', Mic],
]

/** Returns the profiles of a setting with an address a line; those of one network are told apart by their last part. */
export function socialProfiles(lines: string | null | undefined): readonly SocialProfile[] {
  const found = (lines ?? '')
    .split('\n')
    .filter((line) => /^https:\/\//i.test(line))
    .map(profileOf)
  return found.map((profile) => {
    const isAlone = found.filter(({ name }) => name === profile.name).length === 1
    return isAlone ? profile : { ...profile, name: `${profile.name}, ${lastPart(profile.href)}` }
  })
}

function profileOf(href: string): SocialProfile {
  const host = hostOf(href)
  const [, name = host, icon = Globe] =
    networks.find(([end]) => host === end || host.endsWith(`.${end}`)) ?? []
  return { href, name, icon }
}

function hostOf(href: string): string {
  return href
    .replace(/^https:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:\d*$/, '')
    .replace(/^www\./i, '')
    .toLowerCase()
}

function lastPart(href: string): string {
  return (
    href
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? href
  )
}
