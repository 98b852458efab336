import type { QueryClient } from '@tanstack/react-query'

/** Where a video is loaded from. */
export interface VideoLink {
  path: string
  url: string
  /** Whether the server has checked the file: otherwise the app does, while it is played. */
  isChecked: boolean
}

interface LoadEvents {
  /** The video must not be played. */
  onRefused: () => void
  /** It cannot be loaded. Of a link, the element has an event of its own. */
  onFailed: () => void
}

/** Gives an element its video. Returns a function that frees what the decoder holds. */
export function loadVideo(
  client: QueryClient,
  element: HTMLVideoElement,
  { path, url, isChecked }: VideoLink,
  events: LoadEvents,
): () => void {
  const end = isChecked ? setLink(element, url) : stream(client, element, path, events)
  return () => {
    end()
    element.pause()
    element.removeAttribute('src')
    element.load()
  }
}

function setLink(element: HTMLVideoElement, url: string): () => void {
  element.src = url
  return () => undefined
}

function stream(
  client: QueryClient,
  element: HTMLVideoElement,
  path: string,
  events: LoadEvents,
): () => void {
  const source = new MediaSource()
  const url = URL.createObjectURL(source)
  // Set before the module is loaded: the page may call `play()` at once.
  element.src = url
  let end = (): void => undefined
  let hasEnded = false
  import('#/renderer/lib/media-store/stream/play-stream').then(({ playStream }) => {
    if (!hasEnded) end = playStream(client, path, element, source, events)
  }, events.onFailed)
  return () => {
    hasEnded = true
    end()
    URL.revokeObjectURL(url)
  }
}
