import { closeDirections } from '#/shared/bidi'
import { LongWords } from './LongWords'

interface IsolatedProps {
  children: string
  className?: string
}

/** A name or text in the middle of a line, in its own direction: the line around it keeps its order. */
export function Isolated({ children, className }: IsolatedProps) {
  return (
    <bdi className={className}>
      <LongWords>{closeDirections(children)}</LongWords>
    </bdi>
  )
}

/** The same alone in its line: it begins where the line begins, and is cut off at its own end. */
export function IsolatedLine({ children }: { children: string }) {
  return <Isolated className="inline-block max-w-full truncate align-bottom">{children}</Isolated>
}
