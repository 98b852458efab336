import { logFailure } from '#/renderer/lib/core/logger'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { unreadableRows } from './pending'
import type { OutboxKind, OutboxRow } from './row'
import type { OutboxStore } from './store'

const STATES: readonly unknown[] = ['sending', 'waiting', 'refused'] satisfies OutboxRow['state'][]

/** A time beyond it is no time of a clock, and new rows get later times than stored ones. */
const LATEST = Date.parse('9999-01-01T00:00:00Z')

/** Whether this build can show and send a stored row, which another build may have stored, or a disk damaged. */
function isReadable(row: Partial<OutboxRow>, kinds: readonly OutboxKind[]): boolean {
  const { scope, kind, payload, createdAt, state, reason = '' } = row
  if (typeof scope !== 'string' || typeof reason !== 'string' || !STATES.includes(state)) return false
  if (!(Date.parse(createdAt ?? '') < LATEST)) return false
  return kinds.some(({ name, accepts }) => name === kind && accepts?.(payload) !== false)
}

/** What the member wrote; '' if there is nothing to find. */
function textOf({ payload }: Partial<OutboxRow>): string {
  if (!isRecord(payload)) return ''
  const texts = [payload.content, payload.caption].filter((text) => typeof text === 'string')
  return texts.join('\n')
}

/** A store without the rows that this build cannot read: they stay stored, block nothing, and are in `unreadableRows`. */
export function withoutUnreadable(store: OutboxStore, kinds: readonly OutboxKind[]): OutboxStore {
  const show = (rows: readonly OutboxRow[]) => {
    const known = new Set(unreadableRows.getState().rows.map(({ id }) => id))
    for (const { id, kind } of rows)
      if (!known.has(id)) logFailure('read outbox row', new Error(`${kind} of another build`))
    if (rows.length === 0 && known.size === 0) return
    unreadableRows.setState({
      rows: rows.map((row) => ({ id: row.id, text: textOf(row) })),
      discard: async (id) => {
        await store.remove(id)
        show(rows.filter((row) => row.id !== id))
      },
    })
  }
  return {
    ...store,
    load: async () => {
      const rows = await store.load()
      const readable = rows.filter((row) => isReadable(row, kinds))
      show(rows.filter((row) => !readable.includes(row)))
      return readable
    },
  }
}
