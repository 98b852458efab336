import { useEffect, useState } from 'react'

/** An address for these bytes as long as the component is there; null until there is one. */
export function useObjectUrl(source: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(source)
    setUrl(made)
    return () => {
      setUrl(null)
      URL.revokeObjectURL(made)
    }
  }, [source])
  return url
}
