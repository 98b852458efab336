import type { ReactNode } from 'react'
import { Wordmark } from '#/renderer/components/Wordmark'
import { texts } from '#/renderer/lib/texts'
import { PhotoWall } from './PhotoWall'
import { ServerLine } from './ServerLine'

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
