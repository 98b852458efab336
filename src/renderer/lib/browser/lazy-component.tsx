import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/core/logger'
import { loadAhead } from './load-ahead-store'

/** A component whose code is loaded separately. */
export interface LazyComponent<P> {
  (props: P): ReactNode
  /** Loads the code before the first render. Rejects if loading fails; another call tries again. */
  load: () => Promise<unknown>
}

/**
 * Returns a component that is loaded on its first render, or earlier when the browser is idle: `lazyComponent(() =>
 * import('./ShortcutsDialog'), 'ShortcutsDialog')`. A load failure is thrown to the error boundary.
 *
 * Not `React.lazy`: that suspends even if its code is already loaded, and React shows suspended content after at least
 * 300 ms (`FALLBACK_THROTTLE_MS`), to avoid flickering fallbacks. A dialog should open with the click.
 * @param fallback is shown while loading; a function of the props if it depends on them
 */
export function lazyComponent<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  fallback: Fallback<P> = null,
): LazyComponent<P> {
  return lazy(load, name, { fallback, isOptional: false })
}

/** A lazy component without which the page is usable: if its code cannot be loaded, the fallback stays until the network is back. */
export function lazyPart<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  fallback: Fallback<P> = null,
): LazyComponent<P> {
  return lazy(load, name, { fallback, isOptional: true })
}

interface LazyOptions<P> {
  fallback: Fallback<P>
  /** A load failure is logged instead of thrown. */
  isOptional: boolean
}

function lazy<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  options: LazyOptions<P>,
): LazyComponent<P> {
  const source: Source<P> = {
    loaded: undefined,
    load: async () => {
      source.loaded ??= (await load())[name]
      return source.loaded
    },
  }
  loadAhead(source.load)
  const draw = (props: P) => <Loader source={source} props={props} {...options} />
  return Object.assign(draw, { load: source.load })
}

type Fallback<P> = ReactNode | ((props: P) => ReactNode)

interface Source<P> {
  loaded: ComponentType<P> | undefined
  load: () => Promise<ComponentType<P>>
}

interface LoaderProps<P> extends LazyOptions<P> {
  source: Source<P>
  props: P
}

function Loader<P extends object>({ source, props, fallback, isOptional }: LoaderProps<P>) {
  const [Component, setComponent] = useState(() => source.loaded)
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null)
  useEffect(() => {
    if (Component !== undefined) return
    const mounted = new AbortController()
    const { signal } = mounted
    const start = () =>
      source.load().then(
        (component) => !signal.aborted && setComponent(() => component),
        (cause: unknown) => {
          if (signal.aborted) return
          if (!isOptional) return setFailure({ cause })
          logFailure('load part', cause)
          window.addEventListener('online', start, { once: true, signal })
        },
      )
    void start()
    return () => mounted.abort()
  }, [source, isOptional, Component])
  if (failure !== null) throw failure.cause
  if (Component !== undefined) return <Component {...props} />
  return typeof fallback === 'function' ? fallback(props) : fallback
}
