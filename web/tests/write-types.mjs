// `npm run types`: writes the types of the API that the built program has.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository, Service } from "./harness.mjs";
import { generated } from "./types.mjs";

const service = await Service.start();
try {
  writeFileSync(join(repository, "web/src/api-types.ts"), await generated(service));
} finally {
  service.stop();
}
