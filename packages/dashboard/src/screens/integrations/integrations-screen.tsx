import { Page } from '../../parts/page.tsx'
export function IntegrationsScreen() {
  return <Page title="integrations">…</Page>
}
