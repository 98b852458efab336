import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { DemoPhoto } from '#/backend/demo/pictures'
import type { Methods } from '../lib/child'
import { ASSETS, captionOf, demoPhotos } from '../lib/photo-posts'

export interface PlainMethods extends Methods {
  start: { params: { posts: number }; result: { url: string } }
}

interface Picture {
  photo: DemoPhoto
  file: Buffer
  dataUrl: string
}

let server: Server | null = null

/** The JSON of one post. Each post has its own picture address, as in a real feed. */
function postJson(index: number, { photo, dataUrl }: Picture, isInline: boolean): string {
  const { width, height } = photo
  return JSON.stringify({
    author: 'author',
    content: captionOf(index, photo),
    image: isInline ? dataUrl : `/photo/${index}`,
    width,
    height,
    created_at: new Date(Date.now() - index * 420_000).toISOString(),
  })
}

/** Sends posts as one JSON array. */
async function sendPosts(
  response: ServerResponse,
  pictures: readonly Picture[],
  parameters: URLSearchParams,
  count: number,
): Promise<void> {
  response.setHeader('content-type', 'application/json')
  const from = Number(parameters.get('from') ?? 0)
  const to = Math.min(Number(parameters.get('to') ?? count), count)
  for (let index = from; index < to; index += 1) {
    const picture = pictures[index % pictures.length]
    if (picture === undefined) throw new Error('There are no photos in the demo community')
    const json = postJson(index, picture, parameters.get('pictures') === 'inline')
    if (!response.write((index === from ? '[' : ',') + json)) await once(response, 'drain')
  }
  response.end(from < to ? ']' : '[]')
}

export const handlers = {
  /** Serves a page that shows a feed, with its posts and pictures from memory. */
  start: async ({ posts }: PlainMethods['start']['params']): Promise<PlainMethods['start']['result']> => {
    const page = await readFile(join('bench/plain/page.html'))
    const pictures = await Promise.all(
      (await demoPhotos()).map(async (photo): Promise<Picture> => {
        const file = await readFile(join(ASSETS, photo.file))
        return { photo, file, dataUrl: `data:image/webp;base64,${file.toString('base64')}` }
      }),
    )
    server?.close()
    const started = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      // A page that is closed leaves its response unread.
      response.on('error', () => undefined)
      if (pathname === '/posts') void sendPosts(response, pictures, searchParams, posts)
      else if (pathname.startsWith('/photo/')) {
        response.setHeader('content-type', 'image/webp')
        response.end(pictures[Number(pathname.slice('/photo/'.length)) % pictures.length]?.file)
      } else response.setHeader('content-type', 'text/html').end(page)
    })
    server = started.listen(0, '127.0.0.1')
    await once(started, 'listening')
    return { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}` }
  },
}

export async function close(): Promise<void> {
  server?.closeAllConnections()
  server?.close()
}
