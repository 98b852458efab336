import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { isTransient } from '#/renderer/lib/queries/query-client'
import { chooseSize, followChoice } from './choose-size'
import { objectOptions } from './object-queries'
import type { PictureSize } from './picture-source'

/** Which of several sizes was chosen, by what that depends on: a picture that was shown before is shown without delay. */
const choicesOf = onePerClient(() => new Map<string, number>())

function choiceKey(widths: string, sizes: string): string {
  return [widths, sizes, innerWidth, innerHeight, devicePixelRatio].join('|')
}

function widthsOf(stored: readonly PictureSize[]): string {
  return stored.map(({ width }) => width).join()
}

/** Loads the size that an `<img>` with these `sizes` would choose. Resolves with its URL; null if it must not be shown. */
export async function preloadChecked(
  client: QueryClient,
  stored: readonly PictureSize[],
  sizes: string,
  until?: string,
): Promise<string | null> {
  const index = await chooseSize(stored, sizes)
  choicesOf(client).set(choiceKey(widthsOf(stored), sizes), index)
  const chosen = stored[index]
  const read = chosen && (await client.fetchQuery(objectOptions(client, chosen, until)))
  return read?.url ?? null
}

/** The size that an `<img>` with these `sizes` would choose, also after the window has grown; undefined until it is known. */
function useChosenSize(stored: readonly PictureSize[], sizes: string): PictureSize | undefined {
  const choices = choicesOf(useQueryClient())
  const widths = widthsOf(stored)
  const [choice, setChoice] = useState({ widths: '', sizes: '', index: 0 })
  useEffect(() => {
    const all = widths.split(',').map((width) => ({ width: Number(width) }))
    if (all.length === 1) return
    return followChoice(all, sizes, (index) => {
      choices.set(choiceKey(widths, sizes), index)
      setChoice({ widths, sizes, index })
    })
  }, [choices, widths, sizes])
  if (stored.length === 1) return stored[0]
  const isCurrent = choice.widths === widths && choice.sizes === sizes
  return stored[(isCurrent ? choice.index : choices.get(choiceKey(widths, sizes))) ?? -1]
}

/** What a component shows of a picture that the server has not checked. */
export interface CheckedResult {
  /** Undefined while it is being read. */
  url: string | undefined
  /** It must not be shown, or cannot be loaded. */
  isRefused: boolean
}

/** A picture that the server has not checked, in the size that an `<img>` with these `sizes` would choose. */
export function useCheckedPicture(
  stored: readonly PictureSize[],
  sizes: string,
  until?: string,
): CheckedResult {
  const client = useQueryClient()
  const chosen = useChosenSize(stored, sizes)
  const { data, error } = useQuery({
    ...objectOptions(client, chosen ?? { path: '', width: 0, use: 'grid' }, until),
    enabled: chosen !== undefined,
    // A larger size replaces the smaller one when it is loaded.
    placeholderData: (previous, query) =>
      stored.some(({ path }) => path === query?.queryKey[1]) ? previous : undefined,
  })
  return { url: data?.url, isRefused: data === null || (error !== null && !isTransient(error)) }
}
