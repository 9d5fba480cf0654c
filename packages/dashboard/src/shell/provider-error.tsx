import { useLocation, useRouter } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../components/button.tsx'
import { findProviderError } from './provider-errors.ts'

/**
 * Shows why linking an account at the provider, or confirming there, failed. The server returns to the page where it
 * began, with `?error=`. The parameter is removed at once, so that a reload does not show it again, and with it the
 * rest of the query, such as a dialog that would cover the message.
 */
export function ProviderError() {
  const { history } = useRouter()
  const { pathname } = useLocation()
  const [refused, setRefused] = useState(() => {
    const text = findProviderError(new URLSearchParams(location.search).get('error'))
    return text === undefined ? undefined : { text, pathname: location.pathname }
  })
  useEffect(() => {
    const url = new URL(location.href)
    if (findProviderError(url.searchParams.get('error')) === undefined) return
    history.replace(`${url.pathname}${url.hash}`)
  }, [history])

  if (refused?.pathname !== pathname) return null
  return (
    <div
      role="alert"
      className="mb-4 flex items-center gap-3 rounded-md bg-bad-ground py-1 pr-1 pl-3 text-bad"
    >
      <span className="min-w-0 flex-1">{refused.text}</span>
      <IconButton label="Dismiss" icon={X} onClick={() => setRefused(undefined)} />
    </div>
  )
}
