'use client'

import { useFeatureFlag, usePublicConfig } from '@signalbox/next'

/** Follows its flag and its value while somebody looks at the page. */
export function Checkout() {
  const newCheckout = useFeatureFlag('newCheckout')
  const pageSize = usePublicConfig('pageSize')
  return (
    <section>
      <h2>{newCheckout.value ? 'The new checkout' : 'The checkout'}</h2>
      <p>
        {pageSize.value} items on a page, as of version {pageSize.version}.
      </p>
    </section>
  )
}
