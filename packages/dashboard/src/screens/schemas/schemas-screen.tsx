import { Page } from '../../parts/page.tsx'
export function SchemasScreen() {
  return <Page title="schemas">…</Page>
}
