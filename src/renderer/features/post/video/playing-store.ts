import { type RefObject, useEffect } from 'react'
import { create } from 'zustand'
import { isVisible, onVisibility } from '#/renderer/lib/browser/visibility'
import { setLatest } from '#/renderer/lib/core/set-latest'
import { choosePlaying, isKept, NOTHING, type Playing, type Sight, shareOf } from './playing'

interface PlayingState extends Playing {
  /** The path of the video in the window of its own (picture in picture). Then no other one plays by itself. */
  inPicture: string | null
  /** Whether captions are shown, in this session. */
  areCaptionsShown: boolean
}

/** At most two videos are decoded: the current one of the page and the one in the window of its own. */
export const usePlaying = create<PlayingState>(() => ({
  ...NOTHING,
  inPicture: null,
  areCaptionsShown: true,
}))

/** The players on the page, by id. */
const players = new Map<string, Sight & { element: Element }>()
/** Where videos were left, in seconds by path; infinite for one that has ended. */
const times = new Map<string, number>()
const TIMES_KEPT = 500

export function keptTime(path: string): number {
  return times.get(path) ?? 0
}

export function keepTime(path: string, seconds: number): void {
  setLatest(times, path, seconds, TIMES_KEPT)
}

/** A video is chosen when the list has moved less than a window a second for so long, in milliseconds. */
const SETTLED_MS = 150
let choosing: ReturnType<typeof setTimeout> | undefined

/** What dialogs, stories and the light table cover, and slides that are not shown, are not in view. */
function sights(): ReadonlyMap<string, Sight> {
  return new Map(
    [...players].filter(([, { element }]) => element.closest('[aria-hidden="true"], [inert]') === null),
  )
}

/** Frees the decoder of a video that is no longer in view, and then chooses another one. */
function update(): void {
  const now = usePlaying.getState()
  if (isKept(now, sights())) return
  if (now.current !== null) usePlaying.setState(NOTHING)
  chooseWhenSettled()
}

function chooseWhenSettled(): void {
  if (choosing !== undefined) return
  const from = window.scrollY
  choosing = setTimeout(() => {
    choosing = undefined
    const isFast = Math.abs(window.scrollY - from) > (window.innerHeight * SETTLED_MS) / 1_000
    if (isFast) chooseWhenSettled()
    else choose()
  }, SETTLED_MS)
}

function choose(): void {
  const now = usePlaying.getState()
  if (isVisible() && now.inPicture === null) usePlaying.setState(choosePlaying(now, sights()))
}

const STEPS = 20

/** Follows what is in view, while there is a player. */
function follow() {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, rootBounds, intersectionRect, boundingClientRect } of entries)
        for (const player of players.values())
          if (player.element === target && rootBounds !== null) {
            const { top, height } = boundingClientRect
            player.share = shareOf(intersectionRect, boundingClientRect, rootBounds)
            player.distance = Math.abs(top + height / 2 - rootBounds.height / 2)
          }
      update()
    },
    { threshold: Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS) },
  )
  // Dialogs hide the page behind them from screen readers.
  const covers = new MutationObserver(update)
  covers.observe(document.body, { subtree: true, attributeFilter: ['aria-hidden', 'inert'] })
  const stopVisibility = onVisibility(update)
  const stop = () => {
    observer.disconnect()
    covers.disconnect()
    stopVisibility()
    clearTimeout(choosing)
    choosing = undefined
  }
  return { observer, stop }
}

let following: ReturnType<typeof follow> | undefined

/** Makes an element one of the players, which may then be chosen to play. Returns a function that ends this. */
function addPlayer(id: string, element: Element): () => void {
  following ??= follow()
  players.set(id, { element, share: 0, distance: 0, playsByItself: false })
  following.observer.observe(element)
  return () => {
    following?.observer.unobserve(element)
    players.delete(id)
    update()
    if (players.size > 0) return
    following?.stop()
    following = undefined
  }
}

export function usePlayer(id: string, element: RefObject<Element | null>, playsByItself: boolean): void {
  useEffect(() => (element.current === null ? undefined : addPlayer(id, element.current)), [id, element])
  useEffect(() => {
    const player = players.get(id)
    if (player === undefined) return
    player.playsByItself = playsByItself
    update()
  }, [id, playsByItself])
}

/** Plays a video because the member wants it. */
export function startPlaying(id: string): void {
  usePlaying.setState({ current: id, isStarted: true, isPaused: false })
}

export function setPaused(isPaused: boolean): void {
  usePlaying.setState(isPaused ? { isPaused } : { isPaused, isStarted: true })
}

/** Frees the decoder of a video that has ended or cannot be played. */
export function stopPlaying(id: string): void {
  if (usePlaying.getState().current !== id) return
  usePlaying.setState(NOTHING)
  chooseWhenSettled()
}

export function setInPicture(inPicture: string | null): void {
  // A video that the member starts ends the other one.
  usePlaying.setState(inPicture === null ? { inPicture } : { ...NOTHING, inPicture })
  chooseWhenSettled()
}
