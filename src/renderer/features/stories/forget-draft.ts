/** Whether a member has a draft of a story. */
export async function hasStoryDraft(me: string): Promise<boolean> {
  return (await import('./story-draft-store')).hasStoryDraft(me)
}

/** Removes a member's draft of a story, and ends the work on it. */
export async function forgetStoryDraft(me: string): Promise<void> {
  ;(await import('./video-work')).forgetDraftOf(me)
}
