import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { supabase, unwrap } from '#/renderer/lib/supabase'

/** Why something is reported; the database takes no others. */
export const REASONS = [
  'spam',
  'nudity',
  'hate',
  'violence',
  'harassment',
  'misinformation',
  'other',
] as const

export type Reason = (typeof REASONS)[number]

interface Reported {
  memberId: string
  /** Null when it is about the member as such. */
  postId: string | null
}

/** Sends a report (SAFE-03); sent again after an answer was lost, it is still one. Fails with an `AppError`. */
export function useReportMutation({ memberId, postId }: Reported) {
  const { id: me } = useMe()
  const [id] = useState(() => crypto.randomUUID())
  return useMutation({
    mutationFn: async ({ reason, details }: { reason: Reason; details: string }) => {
      const report = {
        id,
        reporter_id: me,
        member_id: memberId,
        post_id: postId,
        reason,
        details: details.trim() || null,
      }
      try {
        await unwrap(supabase().from('reports').insert(report))
      } catch (cause) {
        if (!(cause instanceof AppError && cause.code === 'conflict')) throw cause
      }
    },
    onError: (cause) => logFailure('report', cause),
  })
}
