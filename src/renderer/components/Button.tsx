import { type ComponentProps, useImperativeHandle } from 'react'
import { useFocusKept } from '#/renderer/lib/browser/focus'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'

const VARIANTS: Record<Variant, string> = {
  primary:
    'bg-accent text-on-accent hover:brightness-108 active:brightness-95 disabled:bg-line disabled:text-quiet',
  secondary: 'disabled:opacity-45 border border-edge bg-raised text-ink hover:bg-sunk active:bg-line',
  quiet: 'disabled:opacity-45 text-ink hover:bg-sunk active:bg-line',
  danger: 'disabled:opacity-45 text-accent hover:bg-accent-wash active:brightness-95',
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant
}

/** The classes of a button, also for links that look like one. */
export function buttonClass(variant: Variant): string {
  return `inline-flex h-9.5 shrink-0 items-center justify-center gap-2 rounded-md px-4.5 font-semibold text-[14.5px] transition-[filter,background-color,color,opacity] duration-150 disabled:pointer-events-none ${VARIANTS[variant]}`
}

export function Button({
  variant = 'secondary',
  className = '',
  type = 'button',
  ref,
  ...rest
}: ButtonProps) {
  const control = useFocusKept<HTMLButtonElement>(rest.disabled === true)
  useImperativeHandle(ref, () => control.current as HTMLButtonElement, [control])
  return <button ref={control} type={type} className={`${buttonClass(variant)} ${className}`} {...rest} />
}
