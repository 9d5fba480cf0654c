import { Page } from '../../parts/page.tsx'
export function OrganizationsScreen() {
  return <Page title="Organizations">…</Page>
}
