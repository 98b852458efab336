import type * as TanStack from '@tanstack/react-query'

// Imports no library that test files replace with what this file gives.

/** The states of each component on the page, in the order in which it asks for them. */
let components = new Map<string, unknown[]>()
/** The components that were drawn so far, and the one that is being drawn. */
let drawn = new Map<string, unknown[]>()
let current: unknown[] = []
let asked = 0

const hooks = {
  useEffect: (effect: () => unknown): void => void effect(),
  useState: (initial: unknown) => {
    const index = asked
    asked += 1
    const states = current
    if (!(index in states)) states[index] = typeof initial === 'function' ? initial() : initial
    const set = (next: unknown) => {
      states[index] = typeof next === 'function' ? next(states[index]) : next
    }
    return [states[index], set]
  },
  useSyncExternalStore: (_subscribe: unknown, get: () => unknown) => get(),
}

/** React with hooks that keep their state from one drawing to the next. */
export function withHooks<R extends object>(react: R): R {
  return { ...react, ...hooks }
}

/** Gives a component the states that it had when the page was drawn before. */
export function begin({ name }: { name: string }): void {
  let count = 0
  while (drawn.has(`${name} ${count}`)) count += 1
  const key = `${name} ${count}`
  current = components.get(key) ?? []
  drawn.set(key, current)
  asked = 0
}

export function startDrawing(): void {
  drawn = new Map()
  begin({ name: '' })
}

/** Forgets the states of the components that were not drawn. */
export function endDrawing(): void {
  components = drawn
}

export function clearStates(): void {
  components = new Map()
}

/**
 * TanStack Query whose mutations keep their state from one drawing to the next, and are logged as in lib/query-client.
 */
export function withMutations(query: typeof TanStack): object {
  const createClient = () =>
    new query.QueryClient({
      mutationCache: new query.MutationCache({
        onError: async (cause, _variables, _result, { meta }) => {
          if (meta === undefined) return
          // Imported here, because the logger imports zustand: the mock of zustand would wait for itself.
          const { logFailure } = await import('#/renderer/lib/logger')
          logFailure(meta.action, cause)
        },
      }),
    })
  const drawMutation = (options: TanStack.MutationObserverOptions<unknown, Error, unknown>) => {
    const [observer] = hooks.useState(() => {
      const created = new query.MutationObserver(createClient(), options)
      // Callbacks of `mutate` only run for a mounted component.
      created.subscribe(() => undefined)
      return created
    })
    if (!(observer instanceof query.MutationObserver)) throw new Error('No observer')
    observer.setOptions(options)
    const mutate: typeof observer.mutate = (...args) => observer.mutate(...args).catch(() => undefined)
    return { ...observer.getCurrentResult(), mutate, reset: () => observer.reset() }
  }
  return { ...query, useMutation: drawMutation }
}
