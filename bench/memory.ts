import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerInfo } from '#/shared/server'
import { beActive } from '#tests/backend/load/activity'
import { residentMegabytes, watchPeakMemory } from '#tests/backend/support/resident-memory'
import { createMember, type Member } from '#tests/e2e/support/member'
import { startWebServer } from '../scripts/lib/web-server.mjs'
import type { Report } from './lib/report'

const MEMBERS = 50
const ACTIVE_SECONDS = 60
const PICTURE_BYTES = 100_000
/** The server frees memory after ten idle seconds. */
const IDLE_MS = 20_000
/** In MB. */
const BUDGET = 300

/** The memory of the server while fifty members read and write for a minute, and after that. */
export async function measure(): Promise<Report> {
  const data = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
  const server = await startWebServer({ data, empty: true, quotas: ['all=-/-'] })
  try {
    const info: ServerInfo = await (await fetch(`${server.url}/config.json`)).json()
    const members: Member[] = []
    while (members.length < MEMBERS) members.push(await createMember(info))
    const stopWatching = watchPeakMemory(server.pid)
    const { errors, times } = await beActive(
      members.map(({ id, api }) => ({ id, client: api })),
      { until: { seconds: ACTIVE_SECONDS }, pictureBytes: PICTURE_BYTES },
    )
    const peak = await stopWatching()
    if (errors.length > 0) throw new Error(errors[0])
    const atEnd = await residentMegabytes(server.pid)
    await pause(IDLE_MS)
    const idle = await residentMegabytes(server.pid)
    const requests = [...times.values()].reduce((sum, { length }) => sum + length, 0)
    const title = `${MEMBERS} members for ${ACTIVE_SECONDS} s`
    const row = (what: string, value: number | null) => ({
      what,
      p50: value ?? Number.NaN,
      unit: 'MB' as const,
    })
    return {
      name: 'memory',
      rows: [
        { what: `requests of ${title}`, p50: requests, unit: '' },
        row(`maximum during ${title}`, peak),
        { ...row(`after ${title}`, atEnd), budget: BUDGET },
        row(`after ${IDLE_MS / 1_000} idle seconds`, idle),
      ],
    }
  } finally {
    await server.stop()
    await rm(data, { recursive: true, force: true })
  }
}
