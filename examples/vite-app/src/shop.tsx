import { useConfigStatus, useFeatureFlag, usePublicConfig } from '@signalbox/react'

/** Uses the types of the definition. The file itself is in no page. */
export function Shop() {
  const greeting = usePublicConfig('greeting')
  const pageSize = usePublicConfig('pageSize')
  const isNewCheckout = useFeatureFlag('newCheckout')
  return (
    <main>
      <h1>{greeting}</h1>
      <p id="size">{pageSize} items on a page</p>
      <button type="button">{isNewCheckout ? 'Buy now' : 'Continue to checkout'}</button>
      <Freshness />
    </main>
  )
}

function Freshness() {
  const { source, stale } = useConfigStatus()
  return <small>{stale ? `${source}, not confirmed` : source}</small>
}
