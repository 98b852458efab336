let attended: string | null = null

/** Says which conversation is looked at, until the function it gives is called. */
export function attend(conversationId: string): () => void {
  attended = conversationId
  return () => {
    if (attended === conversationId) attended = null
  }
}

/** Whether somebody looks at this conversation now: it is open, and the window in front. What comes there is no news. */
export function isAttended(conversationId: string): boolean {
  return attended === conversationId
}
