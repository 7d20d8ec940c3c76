// biome-ignore lint/style/noDefaultExport: Next.js finds the layout by it
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
