import { Page } from '../../parts/page.tsx'
export function WebhooksScreen() {
  return <Page title="webhooks">…</Page>
}
