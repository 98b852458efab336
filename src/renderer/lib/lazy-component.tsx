import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { loadAhead } from './load-ahead'

/** A component whose code comes later than the page. */
export interface LazyComponent<P> {
  (props: P): ReactNode
  /** Has its code there before it is drawn. Rejects when that cannot be loaded; asked again, it tries again. */
  load: () => Promise<unknown>
}

/**
 * A component that is loaded when it is first drawn, or ahead of that in a quiet moment:
 * `lazyComponent(() => import('./ShortcutsDialog'), 'ShortcutsDialog')`. What cannot be loaded is thrown to the error
 * boundary around it.
 *
 * Not `React.lazy`: that suspends even when its code is there, and React shows what had suspended 300 ms late at the
 * earliest (`FALLBACK_THROTTLE_MS`), so that fallbacks do not flicker. What opens at a click should be there with it.
 * @param fallback stands in its place meanwhile.
 */
export function lazyComponent<K extends string, P extends object>(
  load: () => Promise<Record<K, ComponentType<P>>>,
  name: K,
  fallback: ReactNode = null,
): LazyComponent<P> {
  const source: Source<P> = {
    loaded: undefined,
    load: async () => {
      source.loaded ??= (await load())[name]
      return source.loaded
    },
  }
  loadAhead(source.load)
  const draw = (props: P) => <Later source={source} props={props} fallback={fallback} />
  return Object.assign(draw, { load: source.load })
}

interface Source<P> {
  loaded: ComponentType<P> | undefined
  load: () => Promise<ComponentType<P>>
}

interface LaterProps<P> {
  source: Source<P>
  props: P
  fallback: ReactNode
}

function Later<P extends object>({ source, props, fallback }: LaterProps<P>) {
  const [Shown, setShown] = useState(() => source.loaded)
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null)
  useEffect(() => {
    if (Shown !== undefined) return
    let isWanted = true
    source.load().then(
      (component) => isWanted && setShown(() => component),
      (cause: unknown) => isWanted && setFailure({ cause }),
    )
    return () => {
      isWanted = false
    }
  }, [source, Shown])
  if (failure !== null) throw failure.cause
  return Shown === undefined ? fallback : <Shown {...props} />
}
