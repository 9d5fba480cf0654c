import { ConfigProvider } from '@signalbox/next'
import { getConfig } from '@signalbox/next/server'
import type { ReactNode } from 'react'
import config from '../signalbox.config'
import { configSource } from './config-source'

export const metadata = { title: 'Signalbox in Next.js' }

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const { baseUrl, apiKey, orgId, environment, schema } = configSource
  const initialValues = await getConfig({ ...configSource, config })
  return (
    <html lang="en">
      <body>
        <ConfigProvider
          baseUrl={baseUrl}
          apiKey={apiKey}
          orgId={orgId}
          environment={environment}
          schema={schema}
          initialValues={initialValues}
        >
          {children}
        </ConfigProvider>
      </body>
    </html>
  )
}
