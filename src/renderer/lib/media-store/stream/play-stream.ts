import type { QueryClient } from '@tanstack/react-query'
import { logFailure } from '#/renderer/lib/core/logger'
import { refuseVideo } from '#/renderer/lib/media-store/kept-objects'
import { type CheckedStream, openStream } from './checked-stream'
import { openParts } from './object-parts'

/** What a player has before and after its time, in seconds. */
const [BEHIND, AHEAD] = [20, 30]
/** It has more bytes ahead only if they are less than two seconds. */
const [AHEAD_BYTES, AHEAD_LEAST] = [24_000_000, 2]
/** Containers round the end of a video, in seconds. */
const ROUNDING = 0.05

/** Why a stream ends before the video does. */
export interface StreamEvents {
  /** The video has not passed the check. */
  onRefused: () => void
  /** It cannot be read any more. */
  onFailed: () => void
}

/** Resolves with the next event of a type. Rejects with the signal's reason. */
function next(target: EventTarget, types: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController()
    const settle = (end: () => void) => () => {
      listening.abort()
      end()
    }
    if (signal.aborted) return reject(signal.reason)
    for (const type of types) target.addEventListener(type, settle(resolve), { signal: listening.signal })
    signal.addEventListener(
      'abort',
      settle(() => reject(signal.reason)),
      { signal: listening.signal },
    )
  })
}

/** The part of what a player has that contains a time; null without one. */
function partAt({ buffered }: HTMLVideoElement, time: number): { from: number; to: number } | null {
  for (let index = 0; index < buffered.length; index += 1) {
    const [from, to] = [buffered.start(index), buffered.end(index)]
    if (from <= time + ROUNDING && time <= to) return { from, to }
  }
  return null
}

/** Why a player begins to read elsewhere. */
const MOVED = new DOMException('the member moved to another time', 'AbortError')

/**
 * Plays a video that the server has not checked in an element with this source: it is checked while it is read, and the player gets what
 * we wrote of what was checked, and never the file. Returns a function that ends this.
 */
export function playStream(
  client: QueryClient,
  path: string,
  video: HTMLVideoElement,
  source: MediaSource,
  { onRefused, onFailed }: StreamEvents,
): () => void {
  const ending = new AbortController()
  play(client, path, video, source, ending.signal).catch((cause: unknown) => {
    // The element reports its own errors.
    if (ending.signal.aborted || video.error !== null) return
    logFailure('play a checked video', cause)
    const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError'
    if (!(cause instanceof RangeError) && !isFull) return onFailed()
    refuseVideo(client, path)
    onRefused()
  })
  return () => ending.abort()
}

async function play(
  client: QueryClient,
  path: string,
  video: HTMLVideoElement,
  source: MediaSource,
  signal: AbortSignal,
): Promise<never> {
  const opened = source.readyState === 'open' ? undefined : next(source, ['sourceopen'], signal)
  const [stream] = await Promise.all([openStream(openParts(client, path), signal), opened])
  if (!MediaSource.isTypeSupported(stream.mediaType)) throw new RangeError('A codec is not supported.')
  const buffer = source.addSourceBuffer(stream.mediaType)
  source.duration = stream.to
  buffer.appendWindowEnd = stream.to + ROUNDING
  const described = next(video, ['loadedmetadata'], signal)
  await change(buffer, signal, () => buffer.appendBuffer(stream.start))
  // The page then moves to the time at which the video was left.
  await described
  if (video.currentTime < stream.from) video.currentTime = stream.from
  if (video.seeking) await next(video, ['seeking'], signal)
  for (;;) {
    const moving = new AbortController()
    const handleSeeking = () => {
      const now = video.currentTime
      if (now < stream.from) video.currentTime = stream.from
      else if (partAt(video, now) === null) moving.abort(MOVED)
    }
    video.addEventListener('seeking', handleSeeking)
    try {
      await fill({ video, source, buffer, stream }, AbortSignal.any([signal, moving.signal]))
    } catch (cause) {
      if (cause !== MOVED) throw cause
    } finally {
      video.removeEventListener('seeking', handleSeeking)
    }
    // What is appended at this moment ends first.
    if (buffer.updating) await next(buffer, ['updateend'], signal)
  }
}

/** Waits for a change of a buffer. Throws a RangeError if it cannot read what it got. */
async function change(buffer: SourceBuffer, signal: AbortSignal, begin: () => void): Promise<void> {
  let isBroken = false
  const handleError = () => {
    isBroken = true
  }
  buffer.addEventListener('error', handleError, { once: true })
  try {
    begin()
    await next(buffer, ['updateend'], signal)
  } finally {
    buffer.removeEventListener('error', handleError)
  }
  if (isBroken) throw new RangeError('The player cannot read the video.')
}

interface Filled {
  video: HTMLVideoElement
  source: MediaSource
  buffer: SourceBuffer
  stream: CheckedStream
}

/** Gives a player what follows its time, and forgets what is long before it, until the signal's reason. */
async function fill({ video, source, buffer, stream }: Filled, signal: AbortSignal): Promise<never> {
  const time = video.currentTime
  await change(buffer, signal, () => buffer.remove(0, Number.POSITIVE_INFINITY))
  let ahead: { to: number; bytes: number }[] = []
  const hasRoom = () => {
    const now = video.currentTime
    ahead = ahead.filter(({ to }) => to > now)
    if ((partAt(video, now)?.to ?? now) < now + AHEAD_LEAST) return true
    const bytes = ahead.reduce((sum, each) => sum + each.bytes, 0)
    return (ahead.at(-1)?.to ?? now) < now + AHEAD && bytes < AHEAD_BYTES
  }
  for await (const { bytes, to } of stream.fragmentsFrom(time, signal)) {
    while (!hasRoom()) await next(video, ['timeupdate', 'seeking'], signal)
    const [from, until] = [
      partAt(video, video.currentTime)?.from,
      stream.keyBefore(video.currentTime - BEHIND),
    ]
    if (from !== undefined && until > from) await change(buffer, signal, () => buffer.remove(0, until))
    await change(buffer, signal, () => buffer.appendBuffer(bytes))
    ahead.push({ to, bytes: bytes.length })
  }
  source.endOfStream()
  for (;;) await next(video, ['seeking'], signal)
}
