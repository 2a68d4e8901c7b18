import { fetchModule } from "./engine/engine";
import { PythonResolver } from "./resolver/resolver";
import { start } from "./start";

const module = fetchModule();
await start(module, (picture) => new PythonResolver(picture.then(() => module)));
