import { useQuery } from '@tanstack/react-query'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { createBatchLoader } from '#/renderer/lib/queries/batch-loader'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { JOINER, WORD_CHARACTER } from '#/shared/hashtags'

/** Usernames of one request, as many as the database looks at. */
const BATCH = 100

/** Which of these usernames lead to a member that the caller may see. Throws an `AppError`. */
export function findKnownUsernames(names: readonly string[]) {
  return unwrap(supabase().rpc('known_usernames', { names: names.join(' ') }))
}

const loaderOf = onePerClient(() =>
  createBatchLoader<true>(async (names) => {
    const known = await findKnownUsernames(names)
    return new Map(known.map(({ username }) => [username, true]))
  }, BATCH),
)

/**
 * Whether a mention leads to no member, or to one that is hidden. False until the server has answered: most mentions lead to
 * somebody. Mentions that are shown at once share a request.
 */
export function useIsNobody(username: string): boolean {
  const { data } = useQuery({
    queryKey: ['known username', username],
    queryFn: ({ client }) => loaderOf(client)(username),
    staleTime: STALE.minute,
  })
  return data === null
}

/** Maximum characters after '@' that are searched for: those of a username. */
const TYPED_MAX = 30

/** A mention that is being typed. */
export interface TypedMention {
  /** Where its '@' is, in UTF-16 units. */
  start: number
  /** What follows the '@' up to the caret: a username, or a word of a name in any script. */
  name: string
}

const NAME_CHARACTER = `(?:${WORD_CHARACTER}|${JOINER}|\\.)`
// The same beginning as a mention of rich-text.ts. Japanese input methods write '＠'.
const TYPED = new RegExp(`(?<![A-Za-z0-9._%+@＠/-])[@＠](${NAME_CHARACTER}{1,${TYPED_MAX}})$`, 'u')
const GOES_ON = new RegExp(`^(?:${NAME_CHARACTER}|[@＠])`, 'u')

/** The mention that ends at the caret; null if there is none, or text follows it directly. */
export function typedMention(text: string, caret: number): TypedMention | null {
  const [found, name] = TYPED.exec(text.slice(0, caret)) ?? []
  if (found === undefined || name === undefined || GOES_ON.test(text.slice(caret))) return null
  return { start: caret - found.length, name }
}
