import { randomBytes, randomUUID } from 'node:crypto'

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerInfo } from '#/shared/server'
import { createMember, type Member } from '#tests/e2e/support/member'
import { startWebServer } from '../scripts/lib/web-server.mjs'
import { summarize, timed } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const VIDEO_BYTES = 20_000_000
const VIDEO_ROUNDS = 3
const PICTURES = 8
const PICTURE_BYTES = 300_000
const PICTURE_ROUNDS = 15

const PICTURE_FILE = 'tests/e2e/fixtures/photos/lossy.webp'

/** Files in Storage, pictures compared with the same bytes as data URLs in rows. The rounds alternate. */
export async function measure(): Promise<Report> {
  const data = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
  const server = await startWebServer({ data, empty: true, quotas: ['all=-/-'] })
  try {
    const info: ServerInfo = await (await fetch(`${server.url}/config.json`)).json()
    const member = await createMember(info)
    return { name: 'media', rows: [...(await measureVideos(member)), ...(await measurePictures(member))] }
  } finally {
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
}

async function measureVideos(member: Member): Promise<Row[]> {
  // The first box of an MP4; the rest is not read.
  const head = Buffer.from('000000186674797069736f6d0000000069736f6d6d703432', 'hex')
  const video = new Blob([head, randomBytes(VIDEO_BYTES - head.length)], { type: 'video/mp4' })
  const times = {
    upload: [] as number[],
    link: [] as number[],
  }
  for (let round = 0; round < VIDEO_ROUNDS; round += 1) {
    const key = keyOf(member, 'mp4')
    times.upload.push(await timed(() => upload(member, key, video)))
    const url = await sign(member, [key])
    times.link.push(await timed(() => download(url)))
  }
  return [
    timesRow('upload of 20 MB to Storage', summarize(times.upload)),
    timesRow('download of 20 MB from Storage', summarize(times.link)),
  ]
}

async function measurePictures(member: Member): Promise<Row[]> {
  const photo = await readFile(PICTURE_FILE)
  const keys: string[] = []
  const posts: string[] = []
  for (let number = 0; number < PICTURES; number += 1) {
    const picture = Buffer.concat([photo, randomBytes(PICTURE_BYTES - photo.length)])
    const [key, id] = [keyOf(member, 'webp'), randomUUID()]
    await upload(member, key, new Blob([picture], { type: 'image/webp' }))
    const image_url = `data:image/webp;base64,${picture.toString('base64')}`
    const row = { id, user_id: member.id, image_url, image_width: 4, image_height: 3 }
    await member.api.from('posts').insert(row).throwOnError()
    keys.push(key)
    posts.push(id)
  }
  const times = {
    signed: [] as number[],
    first: [] as number[],
    kept: [] as number[],
    select: [] as number[],
  }
  for (let round = 0; round < PICTURE_ROUNDS; round += 1) {
    const startedAt = performance.now()
    const firsts: number[] = []
    times.signed.push(
      await timed(async () => {
        const urls = await sign(member, keys)
        await Promise.all(
          urls.map((url) => download([url]).then(() => firsts.push(performance.now() - startedAt))),
        )
      }),
    )
    times.first.push(Math.min(...firsts))
    const urls = await sign(member, keys)
    times.kept.push(await timed(() => download(urls)))
    times.select.push(
      await timed(async () => member.api.from('posts').select('id,image_url').in('id', posts).throwOnError()),
    )
  }
  return [
    timesRow('eight pictures of 300 KB, signed and read', summarize(times.signed)),
    timesRow('  the first of them', summarize(times.first)),
    timesRow('  with links at hand', summarize(times.kept)),
    timesRow('  inline', summarize(times.select)),
    ratioRow('  ratio', times.signed, times.select),
    ratioRow('  ratio with links at hand', times.kept, times.select),
  ]
}

function ratioRow(what: string, times: readonly number[], inline: readonly number[]): Row {
  return { what, p50: summarize(times).p50 / summarize(inline).p50, unit: '×' }
}

function keyOf({ id }: Member, extension: string): string {
  return `${id}/${randomUUID()}.${extension}`
}

async function upload({ api }: Member, key: string, content: Blob): Promise<void> {
  const { error } = await api.storage.from('media').upload(key, content)
  if (error !== null) throw error
}

async function sign({ api }: Member, keys: string[]): Promise<string[]> {
  const { data, error } = await api.storage.from('media').createSignedUrls(keys, 3_600)
  if (error !== null) throw error
  return data.map(({ signedUrl }) => signedUrl ?? '')
}

async function download(urls: readonly string[]): Promise<void> {
  const read = async (url: string) => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    await response.arrayBuffer()
  }
  await Promise.all(urls.map(read))
}
