import { create } from 'zustand'
import { saveFile } from '#/renderer/lib/browser/object-url'
import { isOffline } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import type { DownloadProgress, WrittenFile } from './write-download'

export type DownloadFailure = 'offline' | 'too-large' | 'other'

/** The other zip files wait for a click each: the app saves one at a time, and browsers ask before a page saves several. */
type DownloadState =
  | { status: 'idle' }
  | { status: 'running'; progress: DownloadProgress }
  | { status: 'failed'; reason: DownloadFailure }
  | { status: 'done'; name: string; others: WrittenFile[] }

interface DownloadStore {
  /** The member whose data is exported. */
  me: string | null
  state: DownloadState
}

/** The running download. It continues during navigation. */
const useDownloadStore = create<DownloadStore>(() => ({ me: null, state: { status: 'idle' } }))
const IDLE: DownloadState = { status: 'idle' }
let running: AbortController | null = null

function reasonOf(cause: unknown): DownloadFailure {
  if (isOffline(cause)) return 'offline'
  return cause instanceof Error && cause.name === 'ArchiveTooLarge' ? 'too-large' : 'other'
}

/** The state of the member's download. */
export function useDownload(me: string): DownloadState {
  return useDownloadStore((store) => (store.me === me ? store.state : IDLE))
}

/** Exports the member's data to a zip file and saves it. */
export async function startDownload({ id: me, email }: { id: string; email: string }): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const { signal } = controller
  const show = (state: DownloadState) => {
    if (running === controller) useDownloadStore.setState({ me, state })
  }
  const showProgress = (progress: DownloadProgress) => show({ status: 'running', progress })
  showProgress({ step: 'profile', done: 0, total: null })
  try {
    const { writeDownload } = await import('./write-download')
    const [first, ...others] = await writeDownload({ me, email, signal, onProgress: showProgress })
    saveFile(first.file, first.name)
    show({ status: 'done', name: first.name, others })
  } catch (cause) {
    if (signal.aborted) {
      show({ status: 'idle' })
    } else {
      logFailure('download my data', cause)
      show({ status: 'failed', reason: reasonOf(cause) })
    }
  }
}

export function cancelDownload(): void {
  running?.abort()
}
