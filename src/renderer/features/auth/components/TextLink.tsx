import { Link, type LinkProps } from 'react-router-dom'

export function TextLink({ className = '', ...rest }: LinkProps) {
  return (
    <Link className={`font-medium text-accent underline-offset-3 hover:underline ${className}`} {...rest} />
  )
}
