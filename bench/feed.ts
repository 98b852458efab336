import { FEED_PAGE } from '#/shared/limits'
import { feedRequest } from '#tests/backend/load/feed-request'
import { createMember, type Member } from '#tests/e2e/support/member'
import type { FeedServerMethods } from './feed/server'
import { type Child, startChild } from './lib/child'
import { summarize, timed } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const SIZES = [100, 10_000]
const WARM_UP = 60
const ROUNDS = 200
/** Maximum time of the feed request, in ms (docs/measurements.md). */
const BUDGET_MS = 15

/**
 * The feed request through supabase-js and HTTP, compared with a baseline: the same query directly on the database, in a
 * transaction with the same role and claims, plus a response with the same bytes from the same HTTP server. The rounds
 * alternate, so that the load of the machine affects both.
 */
export async function measure(): Promise<Report> {
  const server = await startChild<FeedServerMethods>('feed/server.ts')
  try {
    const { url, publishableKey } = await server.call('start', null)
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
      await server.call('fill', { posts, viewer: viewer.id })
      rows.push(...(await measureAt(server, url, viewer, posts)))
    }
    return { name: 'feed', rows }
  } finally {
    await server.close()
  }
}

async function measureAt(
  server: Child<FeedServerMethods>,
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
  await server.call('setEcho', page)
  await server.call('startRecording', null)
  await request()
  await server.call('stopRecording', null)

  const times = {
    request: [] as number[],
    statements: [] as number[],
    minimum: [] as number[],
    echo: [] as number[],
    baseline: [] as number[],
  }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const requestMs = await timed(request)
    const statementsMs = await server.call('replay', 'all')
    const minimumMs = await server.call('replay', 'minimum')
    const echoMs = await timed(echo)
    if (round < 0) continue
    times.request.push(requestMs)
    times.statements.push(statementsMs)
    times.minimum.push(minimumMs)
    times.echo.push(echoMs)
    times.baseline.push(minimumMs + echoMs)
  }
  const requestTimes = summarize(times.request)
  const baseline = summarize(times.baseline)
  const at = `${posts.toLocaleString('en')} posts`
  return [
    timesRow(`${at}: feed request`, requestTimes, BUDGET_MS),
    timesRow(`${at}: its SQL statements`, summarize(times.statements)),
    timesRow(`${at}: minimum SQL`, summarize(times.minimum)),
    timesRow(`${at}: HTTP echo`, summarize(times.echo)),
    timesRow(`${at}: baseline (minimum SQL + echo)`, baseline),
    {
      what: `${at}: request ÷ baseline`,
      p50: requestTimes.p50 / baseline.p50,
      p95: requestTimes.p95 / baseline.p95,
      unit: '×',
    },
    { what: `${at}: response size`, p50: Buffer.byteLength(page) / 1000, unit: 'KB' },
  ]
}
