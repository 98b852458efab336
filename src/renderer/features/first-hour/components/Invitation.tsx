import { useMemo } from 'react'
import { encode } from 'uqr'
import { Button } from '#/renderer/components/Button'
import { Field } from '#/renderer/components/Field'
import { copyLink } from '#/renderer/lib/browser/copy-link'
import { texts } from '#/renderer/lib/texts'
import type { ServerAddress } from '#/shared/server'
import { serverLink } from '#/shared/server-link'

const words = texts.firstHour

/** The path of a code's dark modules, with the light ones around it that the standard asks for, and its side. */
function draw(text: string): { path: string; side: number } {
  const { data, size } = encode(text, { border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { path: dark.join(''), side: size }
}

/** A link that fills in a server's address and publishable key elsewhere, to be copied or scanned. */
export function Invitation({ address }: { address: ServerAddress }) {
  const link = serverLink(address)
  const { path, side } = useMemo(() => draw(link), [link])
  return (
    <div className="mt-4 grid gap-5 sm:grid-cols-[1fr_auto]">
      <div>
        <p className="mb-3">{words.invite}</p>
        <Field label={words.link} value={link} readOnly dir="ltr" onFocus={({ target }) => target.select()} />
        <Button className="mt-2.5" onClick={() => void copyLink(link)}>
          {words.copy}
        </Button>
        <p className="mt-3 text-[13.5px] text-quiet">{words.inviteNote}</p>
      </div>
      {/* Dark on white in both themes: not all scanners read the inverse. */}
      <svg
        role="img"
        aria-label={words.qr}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        className="size-44 justify-self-center rounded-md bg-white forced-color-adjust-none"
      >
        <path d={path} className="fill-black" />
      </svg>
    </div>
  )
}
