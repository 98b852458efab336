import { FEED_PAGE } from '#/shared/limits'
import { feedRequest } from '#tests/backend/load/feed-request'
import { createMember, type Member } from '#tests/e2e/support/member'
import type { FeedServerQuestions } from './feed/server'
import { type Child, startChild } from './lib/child'
import { summarise, timed } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const SIZES = [100, 10_000]
const WARM_UP = 60
const ROUNDS = 200
/** Most times its floor that the feed request may take (design.md section 9). */
const RATIO_BUDGET = 3

/**
 * The feed request through supabase-js and HTTP, against the least it can take: the same query on the database
 * itself, in a transaction with the same role and claims, plus an answer of the same bytes from the same HTTP server. Taken in turns, so that both meet the same
 * machine.
 */
export async function measure(): Promise<Report> {
  const server = await startChild<FeedServerQuestions>('feed/server.ts')
  try {
    const { url, publishableKey } = await server.ask('start', null)
    const info = {
      url,
      publishableKey,
      storageKey: 'bench',
      kind: 'embedded',
      demo: [],
      mailFile: null,
    } as const
    const member = (username: string) => createMember({ ...info, demo: [] }, { username })
    const viewer = await member('viewer')
    for (const number of [1, 2, 3, 4, 5]) await member(`author${number}`)

    const rows: Row[] = []
    for (const posts of SIZES) {
      await server.ask('fill', { posts, viewer: viewer.id })
      rows.push(...(await measureAt(server, url, viewer, posts)))
    }
    return { name: 'feed', rows }
  } finally {
    await server.end()
  }
}

async function measureAt(
  server: Child<FeedServerQuestions>,
  url: string,
  viewer: Member,
  posts: number,
): Promise<Row[]> {
  const request = async () => {
    const { data, error } = await feedRequest(viewer.api, viewer.id)
    if (error) throw error
    if (data.length !== FEED_PAGE) throw new Error(`The feed has ${data.length} posts`)
    return data
  }
  const echo = async () => (await fetch(`${url}/bench/echo`)).text()

  const page = JSON.stringify(await request())
  await server.ask('echo', page)
  await server.ask('record', null)
  await request()
  await server.ask('stop', null)

  const times = {
    request: [] as number[],
    sent: [] as number[],
    least: [] as number[],
    echo: [] as number[],
    floor: [] as number[],
  }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const requested = await timed(request)
    const sent = await server.ask('replay', 'as sent')
    const least = await server.ask('replay', 'least')
    const echoed = await timed(echo)
    if (round < 0) continue
    times.request.push(requested)
    times.sent.push(sent)
    times.least.push(least)
    times.echo.push(echoed)
    times.floor.push(least + echoed)
  }
  const requested = summarise(times.request)
  const floor = summarise(times.floor)
  const at = `${posts.toLocaleString('en')} posts`
  return [
    timesRow(`${at}: feed request`, requested),
    timesRow(`${at}: its statements as sent`, summarise(times.sent)),
    timesRow(`${at}: its SQL at the least`, summarise(times.least)),
    timesRow(`${at}: HTTP echo alone`, summarise(times.echo)),
    timesRow(`${at}: floor (SQL at the least + echo)`, floor),
    {
      what: `${at}: request ÷ floor`,
      p50: requested.p50 / floor.p50,
      p95: requested.p95 / floor.p95,
      unit: '×',
      budget: RATIO_BUDGET,
    },
    { what: `${at}: answer`, p50: Buffer.byteLength(page) / 1000, unit: 'KB' },
  ]
}
