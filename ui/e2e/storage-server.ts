// An object storage for tests with the part of S3 that the server uses; it can reject requests.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Storage = {
  readonly env: Record<string, string>
  readonly objects: Map<string, Buffer>
  /** Sets the duration of an upload in milliseconds. */
  slow(milliseconds: number): void
  refuse(isRefusing: boolean): void
  end(): void
}

const bucket = '/secchio'

/** The list of all objects with a prefix, in one page. */
function listOf(objects: Map<string, Buffer>, prefix: string): string {
  const found = [...objects].filter(([key]) => key.startsWith(prefix))
  const contents = found.map(
    ([key, bytes]) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
  )
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`
}

export async function storageServer(): Promise<Storage> {
  const objects = new Map<string, Buffer>()
  let isRefusing = false
  let pause = 0
  const answer = (method: string, url: URL, body: Buffer, response: ServerResponse) => {
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 1))
    if (isRefusing && method === 'PUT') {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    } else if (method === 'PUT') {
      objects.set(key, body)
      setTimeout(() => response.end(), pause)
    } else if (method === 'DELETE') {
      objects.delete(key)
      response.writeHead(204).end()
    } else if (key === '') {
      response.end(listOf(objects, url.searchParams.get('prefix') ?? ''))
    } else {
      const bytes = objects.get(key)
      if (bytes) response.end(bytes)
      else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      answer(request.method ?? '', url, Buffer.concat(parts), response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    env: {
      RESPIRO_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      RESPIRO_S3_ACCESS_KEY: 'chiave',
      RESPIRO_S3_SECRET_KEY: 'segreto',
    },
    objects,
    slow: (milliseconds) => {
      pause = milliseconds
    },
    refuse: (is) => {
      isRefusing = is
    },
    end: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
