/** @type {import('next').NextConfig} */
export default {
  // As the project generator of Next writes it.
  cacheComponents: true,
  partialPrefetching: true,
  // `npm run check` does the type check, with stricter settings.
  typescript: { ignoreBuildErrors: true },
}
