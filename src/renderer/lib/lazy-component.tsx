import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
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
  const source: Source<P> = {
    loaded: undefined,
    load: async () => {
      source.loaded ??= (await load())[name]
      return source.loaded
    },
  }
  loadAhead(source.load)
  const draw = (props: P) => <Loader source={source} props={props} fallback={fallback} />
  return Object.assign(draw, { load: source.load })
}

type Fallback<P> = ReactNode | ((props: P) => ReactNode)

interface Source<P> {
  loaded: ComponentType<P> | undefined
  load: () => Promise<ComponentType<P>>
}

interface LoaderProps<P> {
  source: Source<P>
  props: P
  fallback: Fallback<P>
}

function Loader<P extends object>({ source, props, fallback }: LoaderProps<P>) {
  const [Component, setComponent] = useState(() => source.loaded)
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null)
  useEffect(() => {
    if (Component !== undefined) return
    let isMounted = true
    source.load().then(
      (component) => isMounted && setComponent(() => component),
      (cause: unknown) => isMounted && setFailure({ cause }),
    )
    return () => {
      isMounted = false
    }
  }, [source, Component])
  if (failure !== null) throw failure.cause
  if (Component !== undefined) return <Component {...props} />
  return typeof fallback === 'function' ? fallback(props) : fallback
}
