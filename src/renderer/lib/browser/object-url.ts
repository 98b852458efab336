import { useEffect, useState } from 'react'
import { createUrl, releaseUrl } from './object-url-store'

/** A replaced URL stays valid this long, in milliseconds: an element that has just got it may still have to read it. */
const REPLACED_MS = 1_000

/** An object URL for a blob while the component is mounted; null before the first effect, and without a blob. */
export function useObjectUrl(source: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (source === null) return
    const created = createUrl(source)
    setUrl(created)
    return () => {
      setUrl(null)
      setTimeout(() => releaseUrl(created), REPLACED_MS)
    }
  }, [source])
  return url
}

/** A URL for a picture in memory: a data URL as it is, an object URL for a file. */
export function useLocalUrl(source: string | Blob | null): string | null {
  const url = useObjectUrl(source instanceof Blob ? source : null)
  return source instanceof Blob ? url : source
}

/** Time after which the browser has started to read the file, in milliseconds. */
const RELEASE_MS = 60_000

/** Saves a file to the downloads folder, or asks where, depending on the browser's settings. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}
