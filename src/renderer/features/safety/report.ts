import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '#/renderer/features/auth'
import { AppError } from '#/renderer/lib/errors'
import { supabase, unwrap } from '#/renderer/lib/supabase'

/** Reasons of a report; the database accepts no others. */
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
  /** Null if the report is about the member. */
  postId: string | null
}

/** Sends a report (SAFE-03). Idempotent, in case a response is lost. Fails with an `AppError`. */
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
    meta: { action: 'report' },
  })
}
