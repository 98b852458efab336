import type { QueryClient } from '@tanstack/react-query'

/**
 * Returns a getter that creates one value per query client on first use. Like the cache, the value belongs to one
 * member.
 */
export function onePerClient<T extends object, A extends unknown[] = []>(
  make: (...args: A) => T,
): (client: QueryClient, ...args: A) => T {
  const values = new WeakMap<QueryClient, T>()
  return (client, ...args) => {
    const value = values.get(client) ?? make(...args)
    values.set(client, value)
    return value
  }
}
