import { create } from 'zustand'
import { signedInSignal } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { saveFile } from '#/renderer/lib/save-file'

/** What is being read, in this order. */
export type DownloadStep = 'profile' | 'posts' | 'stories' | 'comments' | 'lists' | 'messages' | 'page'

/** How far a step is; the total is null where it is not known before. */
export interface DownloadProgress {
  step: DownloadStep
  done: number
  total: number | null
}

export type DownloadFailure = 'offline' | 'too-large' | 'other'

type DownloadState =
  | { status: 'idle' }
  | { status: 'running'; progress: DownloadProgress }
  | { status: 'failed'; reason: DownloadFailure }
  | { status: 'done'; fileName: string }

interface DownloadStore {
  /** Whose download it is. */
  me: string | null
  state: DownloadState
}

/** The download under way; it goes on while other pages are looked at. */
const useDownloadStore = create<DownloadStore>(() => ({ me: null, state: { status: 'idle' } }))
const IDLE: DownloadState = { status: 'idle' }
let running: AbortController | null = null

function reasonOf(cause: unknown): DownloadFailure {
  if (cause instanceof AppError && cause.code === 'offline') return 'offline'
  return cause instanceof Error && cause.name === 'ArchiveTooLarge' ? 'too-large' : 'other'
}

/** The member's download, as far as it is. */
export function useDownload(me: string): DownloadState {
  return useDownloadStore((store) => (store.me === me ? store.state : IDLE))
}

/** Collects what is the member's own in a zip file and saves it. Ends when they sign out. */
export async function startDownload({ id: me, email }: { id: string; email: string }): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  const signal = AbortSignal.any([controller.signal, signedInSignal(me)])
  const show = (state: DownloadState) => {
    if (running === controller) useDownloadStore.setState({ me, state })
  }
  const showProgress = (progress: DownloadProgress) => show({ status: 'running', progress })
  showProgress({ step: 'profile', done: 0, total: null })
  try {
    const { writeDownload } = await import('./write-download')
    const { file, fileName } = await writeDownload({ me, email, signal, onProgress: showProgress })
    saveFile(file, fileName)
    show({ status: 'done', fileName })
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
