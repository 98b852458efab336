import { logFailure } from '#/renderer/lib/core/logger'

/** Links of one kind that the host holds: `authLinks` or `serverLinks` of the bridge. */
interface HeldLinks<Link> {
  take(): Promise<Link | null>
  onOpened(listener: () => void): () => void
}

/**
 * Takes the link that started the app, and later ones. Failures are logged.
 * @param what names the action in the log
 * @returns an unsubscribe function
 */
export function takeLinks<Link>(
  { take, onOpened }: HeldLinks<Link>,
  what: string,
  open: (link: Link) => Promise<void> | void,
): () => void {
  const takeNext = async () => {
    const link = await take()
    if (link !== null) await open(link)
  }
  const handleOpened = () => void takeNext().catch((cause: unknown) => logFailure(what, cause))
  handleOpened()
  return onOpened(handleOpened)
}
