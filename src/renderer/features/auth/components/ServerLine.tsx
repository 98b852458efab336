import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '#/renderer/lib/lazy-component'
import { useServerInfo } from '#/renderer/lib/server-info'
import { texts } from '#/renderer/lib/texts'

const ConnectDialog = lazyComponent(() => import('./ConnectDialog'), 'ConnectDialog')

/**
 * Names the server in use and links to a dialog to change it. A server set by the environment or the build cannot be
 * changed.
 */
export function ServerLine() {
  const server = useServerInfo((state) => state.server)
  const [isOpen, setIsOpen] = useState(false)
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
      {isOpen && <ConnectDialog server={server} onClose={() => setIsOpen(false)} />}
    </>
  )
}
