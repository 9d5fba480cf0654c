import { QueryClientProvider } from '@tanstack/react-query'
import { RouterContextProvider, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { followPresses } from './browser/last-press.ts'
import { Toasts } from './components/toasts.tsx'
import { router } from './routes.tsx'
import { followSignOut } from './session/forget-person.ts'
import { keepFocus } from './shell/keep-focus.ts'
import { IdentityConfirmation } from './shell/identity-confirmation.tsx'
import './theme.css'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
followSignOut(queryClient)
keepFocus()
followPresses()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <RouterContextProvider router={router}>
        <IdentityConfirmation />
      </RouterContextProvider>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
