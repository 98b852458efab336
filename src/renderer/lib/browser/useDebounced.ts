import { useEffect, useState } from 'react'

/** Delay after the last key before a list of suggestions is searched for, in milliseconds. */
const DEBOUNCE_MS = 120

/** The value, once it has stopped changing. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
