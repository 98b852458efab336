// A narrow street after rain: shop lights in the wet stones, someone with an umbrella.
#include "camera.glsl"

const float WALL = 2.3;

float walker(vec2 p) {
  float legs = min(segment(p, vec2(-0.02, 0.82), vec2(-0.14, 0.05)) - 0.075, segment(p, vec2(0.05, 0.82), vec2(0.15, 0.10)) - 0.07);
  float coat = box2(p - vec2(0.0 + 0.02 * p.y, 1.10), vec2(0.17 + 0.10 * smoothstep(1.3, 0.6, p.y), 0.40)) - 0.05;
  float head = length((p - vec2(0.02, 1.66)) * vec2(1.1, 0.95)) - 0.115;
  float dome = max(length((p - vec2(0.05, 1.52)) * vec2(0.82, 1.0)) - 0.62, -(p.y - 1.78 - 0.05 * abs(sin(p.x * 8.0))));
  float pole = segment(p, vec2(0.12, 1.2), vec2(0.06, 2.2)) - 0.012;
  return min(min(min(legs, coat), min(head, dome)), pole);
}

vec3 neon(float z, float side) {
  float h = hash1(floor(z / 3.1) + side * 9.0);
  return h < 0.35 ? vec3(1.0, 0.45, 0.13) : h < 0.55 ? vec3(1.0, 0.10, 0.12) : h < 0.75 ? vec3(1.0, 0.75, 0.4) : h < 0.88 ? vec3(0.10, 0.7, 0.75) : vec3(0.5, 0.25, 1.0);
}

/** Light of a house front at a height and a distance down the street. */
vec3 front(float z, float y, float side) {
  float shop = floor(z / 3.1), f = fract(z / 3.1) - 0.5, open = hash1(shop + side * 9.0 + 0.5);
  vec3 c = vec3(0.022, 0.017, 0.018) * (0.5 + 0.8 * noise(vec2(z * 3.0, y * 6.0)));
  vec3 tint = neon(z, side);
  float shelf = 0.45 + 0.75 * noise(vec2(z * 9.0, y * 7.0)) * step(0.25, fract(y * 3.0));
  c += tint * vec3(1.0, 0.85, 0.7) * 2.3 * step(0.3, open) * smoothstep(0.42, 0.40, abs(f)) * smoothstep(0.45, 0.5, y) * smoothstep(2.05, 2.0, y) * shelf;
  c += tint * 7.0 * step(0.45, open) * smoothstep(0.26, 0.24, abs(f)) * smoothstep(0.11, 0.09, abs(y - 2.45)) * step(0.3, noise(vec2(z * 24.0, 1.0)));
  vec2 pane = vec2(z / 1.2, (y - 3.1) / 1.5), cell = floor(pane), g = fract(pane) - 0.5;
  float lit = step(0.72, hash2(cell + side * 40.0)) * step(3.2, y) * smoothstep(0.30, 0.28, abs(g.x)) * smoothstep(0.36, 0.34, abs(g.y));
  c += vec3(1.0, 0.62, 0.28) * lit * (0.5 + 0.7 * hash2(cell + 7.0)) * smoothstep(-0.4, 0.3, g.y + 0.25 * sin(g.x * 30.0));
  return c;
}

vec3 around(Ray ray) {
  float t = ray.along.x > 0.0 ? (WALL - ray.from.x) / ray.along.x : (-WALL - ray.from.x) / ray.along.x;
  vec3 p = ray.from + t * ray.along;
  float lampT = (3.4 - ray.from.y) / ray.along.y;
  vec3 glow = vec3(0.0);
  for (int i = 0; i < 6; i++) {
    vec3 lamp = vec3(i % 2 == 0 ? 0.4 : -0.5, 3.7 + 0.25 * sin(float(i) * 3.0), 5.0 + 4.2 * float(i));
    vec3 to = lamp - ray.from;
    float along = dot(to, ray.along);
    float off = length(to - along * ray.along);
    if (along > 0.0) glow += vec3(1.0, 0.6, 0.25) * (9.0 * smoothstep(0.13, 0.10, off) + 0.035 / (off * off + 0.05)) / (1.0 + 0.03 * along);
  }
  float z = ray.from.z + t * ray.along.z;
  vec3 haze = mix(vec3(0.20, 0.12, 0.09), vec3(0.012, 0.014, 0.03), smoothstep(-0.02, 0.30, ray.along.y));
  vec3 c = p.y > 8.5 ? vec3(0.012, 0.014, 0.030) : front(z, p.y, sign(ray.along.x));
  return mix(c, haze, 1.0 - exp(-max(z, 0.0) * 0.030)) + glow * 0.7;
}

vec3 rain(vec2 uv) {
  vec2 q = turn(0.09) * uv;
  float drops = 0.0;
  for (int k = 0; k < 3; k++) {
    vec2 g = q * vec2(26.0 + 14.0 * float(k), 2.2 + float(k)), cell = floor(g);
    float y = fract(g.y + hash1(cell.x) * 9.0);
    drops += smoothstep(0.10, 0.0, abs(fract(g.x) - 0.5)) * smoothstep(0.0, 0.2, y) * smoothstep(0.4, 0.2, y) * step(0.8, hash2(cell + 3.0));
  }
  return vec3(0.9, 0.75, 0.6) * drops * 0.035;
}

vec3 photo(vec2 uv) {
  Ray ray = shoot(uv, vec3(-0.15, 0.95, -1.5), vec3(0.05, 1.35, 8.0), 2.0, 0.05, 8.2);
  float at = (6.4 - ray.from.z) / ray.along.z;
  vec3 seen = ray.from + at * ray.along;
  float person = smoothstep(0.012, -0.012, walker(vec2(seen.x + 0.42, seen.y)));
  float down = -ray.from.y / ray.along.y;
  vec3 c;
  if (ray.along.y < 0.0 && down < 60.0) {
    vec3 p = ray.from + down * ray.along;
    vec2 stone = p.xz * vec2(3.6, 2.6);
    stone.x += 0.5 * step(0.5, fract(stone.y * 0.5));
    vec2 g = abs(fract(stone) - 0.5);
    float joint = smoothstep(0.36, 0.5, max(g.x, g.y));
    float puddle = smoothstep(0.47, 0.60, fbm(p.xz * vec2(1.0, 0.55) + 3.0, 4));
    float rough = mix(0.055 + 0.05 * joint, 0.004, puddle);
    vec2 tilt = rough * (random2() + random2() - 1.0) * vec2(0.75, 1.9) + (1.0 - puddle) * 0.05 * (vec2(noise(p.xz * 9.0), noise(p.xz * 9.0 + 5.0)) - 0.5);
    vec3 n = normalize(vec3(tilt.x, 1.0, tilt.y));
    vec3 back = reflect(ray.along, n);
    back.y = abs(back.y);
    Ray mirror = Ray(p, back);
    vec3 shine = around(mirror);
    float away = (6.4 - p.z) / back.z;
    vec3 other = p + away * back;
    if (p.z < 6.4 && walker(vec2(other.x + 0.42, other.y)) < 0.0) shine = vec3(0.01);
    float fresnel = 0.06 + 0.94 * pow(1.0 - max(dot(-ray.along, n), 0.0), 4.0);
    c = vec3(0.010, 0.008, 0.008) * (1.0 - 0.6 * joint) + shine * fresnel * mix(0.75 - 0.4 * joint, 1.0, puddle);
    if (at < down) c = mix(c, vec3(0.006, 0.005, 0.006), person);
  } else {
    c = mix(around(ray), vec3(0.006, 0.005, 0.006), person);
  }
  return c + rain(uv);
}
