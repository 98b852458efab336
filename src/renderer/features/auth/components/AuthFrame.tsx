import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { Wordmark } from '#/renderer/components/Wordmark'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { texts } from '#/renderer/lib/texts'
import { serverLink } from '#/shared/server-link'
import { forgetServerLink, useServerLink } from '../server-link-store'

const ConnectDialog = lazyDialog(() => import('./ConnectDialog'), 'ConnectDialog')

// Pictures of the demo community in two widths, three columns of four (resources/demo/source/wall.mjs).
const FILES = import.meta.glob<string>('../../../../../resources/wall/*.webp', {
  eager: true,
  import: 'default',
  query: '?url',
})
const COLUMNS = [
  ['ridges', 'lookout', 'lake', 'snowtree'],
  ['wetstreet', 'spiral', 'arches', 'rainwindow'],
  ['dunes', 'pool', 'startrails', 'fogforest'],
] as const

/** Narrow columns of a high window go on with the pictures of the next one. */
function nextColumn(index: number): readonly string[] {
  return COLUMNS[(index + 1) % COLUMNS.length] ?? []
}

function urlOf(name: string, width: 320 | 640): string {
  return FILES[`../../../../../resources/wall/${name}-${width}.webp`] ?? ''
}

/** The width of a picture: a third of the wall, which is scaled a little. */
const SIZES = '(min-width: 64rem) 21vw, 17vw'
const OFFSETS = ['', '-mt-22', '-mt-9']

interface AuthFrameProps {
  children: ReactNode
  /** A link to the other form, e.g. 'New here? Create an account'. */
  footer: ReactNode
}

/** The layout of /login and /signup: a wall of photos next to a narrow column. */
export function AuthFrame({ children, footer }: AuthFrameProps) {
  return (
    <div className="grid min-h-dvh md:grid-cols-[0.8fr_1fr] lg:grid-cols-[1.15fr_1fr]">
      <PhotoWall />
      <main className="grid place-items-center px-6 py-10">
        <div className="w-full max-w-90">
          <h1>
            <Wordmark size="large" />
          </h1>
          <p className="mt-2 mb-7 text-quiet">{texts.tagline}</p>
          {children}
          <div className="mt-6 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 text-[13px] text-quiet">
            <span>{footer}</span>
            <ServerLine />
          </div>
        </div>
      </main>
    </div>
  )
}

/** A slanted wall of photos. Decorative. */
function PhotoWall() {
  return (
    <div aria-hidden="true" className="sticky top-0 h-dvh overflow-hidden bg-sunk max-md:hidden">
      <div className="grid -rotate-4 scale-118 grid-cols-3 content-start gap-2.5 p-2.5">
        {COLUMNS.map((column, index) => (
          <div key={column[0]} className={`grid content-start gap-2.5 ${OFFSETS[index]}`}>
            {[...column, ...nextColumn(index)].map((name) => (
              // Lazy: a narrow window, which does not show the wall, loads none, a wide one not those below it.
              <img
                key={name}
                loading="lazy"
                sizes={SIZES}
                srcSet={`${urlOf(name, 320)} 320w, ${urlOf(name, 640)} 640w`}
                src={urlOf(name, 640)}
                alt=""
                draggable={false}
                className="block w-full rounded-md"
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/**
 * Names the server in use and links to a dialog to change it, which a link to a server opens filled in. A server set by the environment or the build cannot be
 * changed.
 */
function ServerLine() {
  const server = useServerInfo((state) => state.server)
  const [isOpen, setIsOpen] = useState(false)
  const linked = useServerLink((state) => state.address)
  // A link waits until the open form, with what was typed into it, is closed.
  const shown = isOpen ? null : linked
  const handleClose = () => {
    setIsOpen(false)
    if (!isOpen) forgetServerLink()
  }
  if (server === null) return null
  const host = new URL(server.url).host
  if (server.kind === 'fixed') return <span>{texts.server.connectedTo(host)}</span>
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="inline-flex max-w-full items-center gap-1 rounded-sm py-1 hover:text-ink"
      >
        <span className="truncate">
          {server.kind === 'embedded' ? texts.server.connect : texts.server.connectedTo(host)}
        </span>
        <ChevronDown className="size-3.5 shrink-0" aria-hidden="true" />
      </button>
      {(isOpen || linked !== null) && (
        <ConnectDialog
          key={shown && serverLink(shown)}
          server={server}
          linked={shown}
          onClose={handleClose}
        />
      )}
    </>
  )
}
