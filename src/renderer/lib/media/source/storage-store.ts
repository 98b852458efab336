import { useEffect } from 'react'
import { create } from 'zustand'
import { AppError } from '#/renderer/lib/core/errors'
import { logIfFails } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { MediaError } from './media-error'

/** Whether this page's server has Storage; null until it has answered. */
const useAnswer = create<{ hasStorage: boolean | null }>(() => ({ hasStorage: null }))

/** Whether this page's server can store pictures and videos. Asked until it can. Throws an `AppError`. */
export async function hasStorage(): Promise<boolean> {
  if (useServerInfo.getState().server?.kind === 'embedded') return true
  if (useAnswer.getState().hasStorage === true) return true
  const answer = await unwrap(supabase().rpc('media_in_storage'))
  useAnswer.setState({ hasStorage: answer })
  return answer
}

/**
 * Refuses a chosen file before it is prepared, on a server that cannot store it; one that cannot be asked now probably has Storage. Throws
 * MediaError.
 */
export async function checkStorage(): Promise<void> {
  if (!(await hasStorage().catch(() => true))) throw new MediaError('no-storage')
}

/** Throws an `AppError`: 'no-storage' if this page's server cannot store pictures and videos yet. */
export async function requireStorage(): Promise<void> {
  if (!(await hasStorage())) throw new AppError('no-storage', texts.media['no-storage'], 'no Storage')
}

/** Asks when a form opens whether it can take pictures and videos; true until the server has said no. */
export function useMayStoreMedia(): boolean {
  useEffect(() => void logIfFails('ask for Storage', hasStorage()), [])
  return useAnswer(({ hasStorage: answer }) => answer) !== false
}
