import type * as TanStack from '@tanstack/react-query'

// Must not import libraries that test files mock with the functions of this file.

/** The states of each component on the page, in the order of its hooks. */
let components = new Map<string, unknown[]>()
/** The components rendered so far, and the state of the one that is being rendered. */
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

/** Replaces React's hooks by hooks that keep their state from one render to the next. */
export function withHooks<R extends object>(react: R): R {
  return { ...react, ...hooks }
}

/** Starts rendering a component with its states from the previous render. */
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

/** Drops the states of components that were not rendered. */
export function endDrawing(): void {
  components = drawn
}

export function clearStates(): void {
  components = new Map()
}

/**
 * TanStack Query with mutations that keep their state from one render to the next and log failures as lib/query-client
 * does.
 */
export function withMutations(query: typeof TanStack): object {
  const createClient = () =>
    new query.QueryClient({
      mutationCache: new query.MutationCache({
        onError: async (cause, _variables, _result, { meta }) => {
          if (meta === undefined) return
          // Import it here: the logger imports zustand, whose mock would wait for itself.
          const { logFailure } = await import('#/renderer/lib/core/logger')
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
