// A city at night behind a wet window: lights out of focus, upside down in every drop.

vec3 lights(vec2 p, float soft) {
  vec3 c = mix(vec3(0.030, 0.022, 0.045), vec3(0.008, 0.010, 0.026), smoothstep(-0.8, 0.9, p.y));
  for (int i = 0; i < 64; i++) {
    float k = float(i), a = hash1(k * 1.7 + 2.0), b = hash1(k * 3.1 + 5.0), h = hash1(k * 5.3);
    vec2 at = vec2((a - 0.5) * 2.3, -0.52 + 0.95 * b * b + 0.12 * sin(a * 14.0));
    float r = soft * (0.55 + 0.75 * hash1(k * 9.1));
    float d = length(p - at);
    float disc = smoothstep(r, r * 0.93, d) * (0.75 + 0.35 * smoothstep(r * 0.6, r, d));
    vec3 tint = h < 0.45 ? vec3(1.0, 0.52, 0.16) : h < 0.62 ? vec3(1.0, 0.14, 0.08) : h < 0.74 ? vec3(0.2, 0.75, 0.6) : h < 0.86 ? vec3(0.35, 0.5, 1.0) : vec3(1.0, 0.85, 0.6);
    c += tint * disc * (0.25 + 1.1 * hash1(k * 11.3)) * 0.010 / (r * r + 0.004);
  }
  return c;
}

/** Height of the water on the glass: small still drops, and large ones that have run and left a track. */
float water(vec2 p) {
  float h = 0.0;
  for (int k = 0; k < 3; k++) {
    float scale = 9.0 + 9.0 * float(k);
    vec2 q = p * scale + float(k) * 7.3, cell = floor(q);
    for (int j = 0; j < 9; j++) {
      vec2 c = cell + vec2(j % 3 - 1, j / 3 - 1);
      vec2 at = c + 0.2 + 0.6 * hash22(c);
      float r = (0.10 + 0.34 * pow(hash2(c + 31.0), 2.5)) * step(0.35, hash2(c + 57.0));
      vec2 d = q - at;
      d += 0.12 * r * vec2(noise(q * 3.0), noise(q * 3.0 + 9.0));
      d.y *= d.y > 0.0 ? 0.78 : 1.1;
      h = max(h, sqrt(max(r * r - dot(d, d), 0.0)) / scale * (k == 2 ? 0.7 : 1.2));
    }
  }
  float lane = p.x * 3.4, cell = floor(lane), id = hash1(cell * 7.7 + 3.0);
  if (id > 0.38) {
    float head = -0.75 + 1.4 * hash1(cell + 40.0), x = (cell + 0.5 + 0.22 * sin(p.y * 5.0 + id * 30.0) * 0.6) / 3.4;
    vec2 d = p - vec2(x, head);
    float wide = 0.030 + 0.014 * id;
    d.y *= d.y > 0.0 ? 0.55 : 1.0;
    h = max(h, sqrt(max(wide * wide - dot(d, d), 0.0)) * 1.3);
    float track = 0.014 * (0.4 + noise(vec2(p.y * 16.0, cell)));
    if (p.y > head) h = max(h, sqrt(max(track * track - (p.x - x) * (p.x - x), 0.0)) * 0.8 * smoothstep(0.95, 0.2, p.y - head));
  }
  return h;
}

vec3 photo(vec2 uv) {
  float e = 0.0015, h = water(uv);
  vec2 slope = vec2(water(uv + vec2(e, 0)) - water(uv - vec2(e, 0)), water(uv + vec2(0, e)) - water(uv - vec2(0, e))) / (2.0 * e);
  vec3 c = lights(uv, 0.135) * 0.95 + vec3(0.006, 0.007, 0.010) * fbm(uv * 3.0, 4);
  if (h > 0.0002) {
    vec3 through = lights(uv - slope * 0.42 * vec2(0.9, 0.9), 0.045);
    float steep = length(slope);
    c = mix(c, through * (1.0 - 0.55 * smoothstep(0.7, 2.2, steep)), smoothstep(0.0, 0.004, h));
    c += vec3(0.9, 0.8, 0.7) * 0.22 * smoothstep(0.90, 0.985, dot(normalize(vec3(-slope, 1.0)), normalize(vec3(-0.45, 0.75, 0.5))));
  }
  float frame = max(smoothstep(0.004, -0.004, 0.745 - abs(uv.x + 0.05)), smoothstep(0.004, -0.004, uv.y + 0.93));
  return mix(c, vec3(0.004) + 0.02 * lights(uv * 0.6, 0.3), frame);
}
