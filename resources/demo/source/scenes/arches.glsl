// A colonnade in late sun, its arches thrown across the floor and the wall.
#define REACH 60.0
#define STEPS 110
#include "path.glsl"

float archway(vec3 p, float half_, float rise) {
  return min(box2(p.xy - vec2(0.0, rise * 0.5), vec2(half_, rise * 0.5)), length(p.xy - vec2(0.0, rise)) - half_);
}

vec2 map(vec3 p) {
  vec3 q = p;
  q.z = mod(p.z + 1.3, 2.6) - 1.3;
  float left = max(abs(p.x + 1.75) - 0.28, -archway(vec3(q.z, p.y, 0.0), 0.92, 2.15));
  float base = box(vec3(abs(q.z) - 1.3, p.y - 0.10, p.x + 1.75), vec3(0.45, 0.10, 0.36), 0.02);
  float capital = box(vec3(abs(q.z) - 1.3, p.y - 2.14, p.x + 1.75), vec3(0.44, 0.07, 0.34), 0.02);
  float walls = min(min(left, base), min(capital, 1.75 - p.x));
  float rib = max(abs(abs(q.z) - 1.3) - 0.16, abs(length(vec2(p.x, p.y - 2.35)) - 1.72) - 0.12);
  walls = min(walls, max(rib, 2.2 - p.y));
  walls = min(walls, max(max(1.78 - length(vec2(p.x, p.y - 2.3)), 2.3 - p.y), max(abs(p.x) - 2.03, p.y - 4.4)));
  float end = 21.0 - p.z;
  end = max(end, -archway(vec3(p.xy, 0.0), 0.8, 2.0));
  vec2 near = nearer(vec2(walls, 1.0), vec2(end, 1.0));
  near = nearer(near, vec2(p.y, 2.0));
  vec3 w = p - vec3(0.45, 0.0, 8.6);
  float body = limb(w, vec3(0, 0.72, 0), vec3(0, 1.32, 0), 0.15, 0.17);
  body = blend(body, sphere(w - vec3(0.0, 1.58, 0.0), 0.11), 0.08);
  body = min(body, min(limb(w, vec3(0.07, 0.7, 0), vec3(0.09, 0.05, 0.16), 0.09, 0.05), limb(w, vec3(-0.07, 0.7, 0), vec3(-0.08, 0.05, -0.14), 0.09, 0.05)));
  body = min(body, limb(w, vec3(0, 0.95, 0), vec3(0, 0.45, 0), 0.16, 0.24));
  return nearer(near, vec2(body, 3.0));
}

Matter matter(float name, vec3 p, inout vec3 n) {
  if (name < 1.5) {
    float old = fbm(p * vec3(1.2, 2.2, 1.2), 5);
    vec3 plaster = mix(vec3(0.66, 0.42, 0.27), vec3(0.74, 0.58, 0.42), smoothstep(0.3, 0.65, old));
    plaster *= 1.0 - 0.3 * smoothstep(0.5, 0.0, p.y + 0.5 * old - 0.2);
    return Matter(plaster * (0.9 + 0.15 * noise(p * 30.0)), 0.0, 0.0, 0.0, vec3(0), 0.0);
  }
  if (name < 2.5) {
    vec2 tile = fract(p.xz / 0.62 + vec2(0.0, 0.0));
    float joint = step(0.97, max(tile.x, tile.y));
    vec3 stone = vec3(0.48, 0.38, 0.30) * (0.75 + 0.4 * hash2(floor(p.xz / 0.62))) * (0.85 + 0.3 * noise(p.xz * 8.0));
    return Matter(stone * (1.0 - 0.5 * joint), 0.04, 0.28, 0.0, vec3(0), 0.0);
  }
  return Matter(p.y > 1.44 ? vec3(0.04, 0.03, 0.03) : p.y > 0.75 ? vec3(0.42, 0.06, 0.05) : vec3(0.05, 0.05, 0.07), 0.0, 0.0, 0.0, vec3(0), 0.0);
}

vec3 sky(vec3 d) { return mix(vec3(0.85, 0.78, 0.70), vec3(0.35, 0.55, 0.95), clamp(d.y * 2.0, 0.0, 1.0)) * 1.1; }

float gobo(vec3 p, vec3 to) { return 1.0; }

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(0.75, 1.35, -1.0), vec3(-0.1, 1.42, 8.0), 1.75, 0.0, 8.0);
  return trace(ray, Key(normalize(vec3(-0.86, 0.50, 0.22)), vec3(9.5, 7.2, 4.8), 0.012));
}
