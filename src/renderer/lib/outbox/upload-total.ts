import type { UploadTotal } from '#/shared/bridge'
import { pendingRows, type Upload, uploads } from './pending'
import type { OutboxRow } from './row'

/** Taskbars show percents. */
const STEPS = 100

/**
 * The sum of the uploads by their bytes; null if none runs or waits. One that is done counts until then, so that the sum does not go
 * back. The sum waits if every upload that is not done has been cut off and its row waits in the outbox.
 */
export function uploadTotal(
  all: Readonly<Record<string, Upload>>,
  rows: readonly Pick<OutboxRow, 'id' | 'state'>[],
): UploadTotal | null {
  const rowStates = new Map(rows.map(({ id, state }) => [id, state]))
  let [sent, total, isRunning, isWaiting] = [0, 0, false, false]
  for (const [id, upload] of Object.entries(all)) {
    const rowState = rowStates.get(id)
    if (upload.state === 'stopped' && rowState !== 'waiting' && rowState !== 'sending') continue
    // A row that is sent again continues its upload soon.
    if (upload.state === 'running' || (upload.state === 'stopped' && rowState === 'sending')) isRunning = true
    if (upload.state === 'stopped' && rowState === 'waiting') isWaiting = true
    sent += upload.sent
    total += upload.total
  }
  if (!isRunning && !isWaiting) return null
  return { fraction: Math.floor((STEPS * sent) / total) / STEPS, isWaiting: !isRunning }
}

/**
 * Calls back with `uploadTotal` whenever it changes, until the returned function is called, which forgets all uploads and calls back
 * with null if there were any.
 */
export function followUploads(report: (total: UploadTotal | null) => void): () => void {
  let last: UploadTotal | null = null
  const show = (next: UploadTotal | null) => {
    if (next?.fraction === last?.fraction && next?.isWaiting === last?.isWaiting) return
    last = next
    report(next)
  }
  const check = () => {
    const all = uploads.getState()
    const next = uploadTotal(all, pendingRows.getState())
    show(next)
    const left = Object.entries(all).filter(([, { state }]) => state !== 'done')
    if (next === null && left.length < Object.keys(all).length)
      uploads.setState(Object.fromEntries(left), true)
  }
  const stops = [uploads.subscribe(check), pendingRows.subscribe(check)]
  return () => {
    for (const stop of stops) stop()
    uploads.setState({}, true)
    show(null)
  }
}
