import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ServerInfo } from '#/shared/server'
import { residentMegabytes } from '#tests/backend/support/resident-memory'
import { createMember } from '#tests/e2e/support/member'
import { insertPosts } from '#tests/e2e/support/posts'
import { startWebServer } from '../scripts/lib/web-server.mjs'
import { summarize, timed } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const COLD_ROUNDS = 3
const WARM_ROUNDS = 8
const READS = 200
/** From ready until the memory of an unused server is measured. */
const SETTLED_MS = 5_000
/** `cold` and `warm` in ms until ready, `readyMemory` and `memory` in MB resident (docs/measurements.md). */
const BUDGET = { cold: 1_500, warm: 700, readyMemory: 180, memory: 250 }

/** The time until the backend is ready, on a new and on an existing data folder, and its memory. */
export async function measure(): Promise<Report> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    await withTemporaryFolder(async (data) => {
      cold.push(await startAndStop(data))
      if (round > 0) return
      for (let warmRound = 0; warmRound < WARM_ROUNDS; warmRound += 1) warm.push(await startAndStop(data))
    })
  }
  const bare: number[] = []
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    bare.push(await timed(() => promisify(execFile)(process.execPath, ['-e', '0'])))
  }
  const rows: Row[] = [
    timesRow('ready, new folder', summarize(cold), BUDGET.cold),
    timesRow('ready, known folder', summarize(warm), BUDGET.warm),
    timesRow('an empty Node program', summarize(bare)),
  ]
  rows.push(...(await withTemporaryFolder(measureMemory)))
  return { name: 'backend start', rows }
}

async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startAndStop(data: string): Promise<number> {
  const startedAt = performance.now()
  const server = await startWebServer({ data, empty: true })
  const duration = performance.now() - startedAt
  await server.stop()
  return duration
}

/** Resident memory with an existing data folder: once ready, and after some use. */
async function measureMemory(data: string): Promise<Row[]> {
  await startAndStop(data)
  const server = await startWebServer({ data, empty: true, quotas: ['all=-/-'] })
  try {
    // The server then frees what starting has left.
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
    const atStart = await residentMegabytes(server.pid)
    const info: ServerInfo = await (await fetch(`${server.url}/config.json`)).json()
    const member = await createMember(info)
    await insertPosts(member, 400, { thumbnailBytes: 8_000 })
    for (let read = 0; read < READS; read += 1) {
      await member.api.from('posts').select('id,content,thumbnail_url').limit(8)
    }
    const inUse = await residentMegabytes(server.pid)
    if (atStart === null || inUse === null) return []
    return [
      { what: 'memory when ready', p50: atStart, unit: 'MB', budget: BUDGET.readyMemory },
      { what: `memory after 400 posts and ${READS} reads`, p50: inUse, unit: 'MB', budget: BUDGET.memory },
    ]
  } finally {
    await server.stop()
  }
}
