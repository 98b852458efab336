import { useEffect, useState } from 'react'

/** An object URL for a blob while the component is mounted; null before the first effect. */
export function useObjectUrl(source: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(source)
    setUrl(created)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(created)
    }
  }, [source])
  return url
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
