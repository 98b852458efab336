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
