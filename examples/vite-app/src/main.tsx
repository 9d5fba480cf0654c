import { ConfigProvider } from '@signalbox/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Shop } from './shop.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

// The build has written the source and the key into the page.
createRoot(root).render(
  <StrictMode>
    <ConfigProvider
      defaults={{ greeting: 'Hello', pageSize: 20, newCheckout: false }}
      fallback={<p>One moment</p>}
    >
      <Shop />
    </ConfigProvider>
  </StrictMode>,
)
